import { useState } from 'preact/hooks';
import { Panel } from './panel.tsx';

/** The line as a scenario: to read, to copy, to save. */
export function Export({ scenario }: { readonly scenario: () => Promise<string> }) {
  const [text, setText] = useState('');
  const ask = (): void => {
    setText('');
    void scenario().then(setText);
  };
  const save = (): void => {
    const link = document.createElement('a');
    const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
    link.href = url;
    link.download = 'by-hand.yaml';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Panel id="export" title="Export">
      <p class="soft small">
        What was done on this line, as a scenario that <code>assay play</code> plays to the same
        end.
      </p>
      <div class="row">
        <button type="button" onClick={ask}>
          Export as a scenario
        </button>
        <button type="button" disabled={text === ''} onClick={save}>
          Save by-hand.yaml
        </button>
      </div>
      {text !== '' && (
        <pre class="well source" tabIndex={0} role="region" aria-label="The exported scenario">
          {text}
        </pre>
      )}
    </Panel>
  );
}
