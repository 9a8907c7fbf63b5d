import { useState } from 'preact/hooks';

/** A command in one line, with a button that copies it. `what` is its accessible name. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    setState((await writeClipboard(text)) ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), 2_000);
  };
  const says = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy by hand' }[state];
  return (
    <div class="copyable">
      <code>{text}</code>
      <button type="button" aria-label={`${says} ${what}`} onClick={() => void copy()}>
        {says}
      </button>
      <span class="unseen" role="status">
        {state === 'idle' ? '' : says}
      </span>
    </div>
  );
}

/**
 * Copies a text. A page from disk may have no access to the clipboard; selection and the old copy command then usually
 * work.
 */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const isDone = document.execCommand('copy');
    field.remove();
    return isDone;
  }
}
