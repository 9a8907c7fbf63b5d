import { useEffect, useState } from 'preact/hooks';
import { Choice } from './fields.tsx';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const key = 'assay-theme';

const themeOf = (value: unknown): Theme => themes.find((one) => one === value) ?? 'auto';

/** Stored theme. A page from disk may have no access to storage. */
function remembered(): Theme {
  try {
    return themeOf(localStorage.getItem(key));
  } catch {
    return 'auto';
  }
}

/** Switch of the theme: light, dark, or the setting of the system. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // Storage is not available: the choice is not kept.
    }
    dispatchEvent(new Event('themechange'));
  }, [theme]);
  return (
    <Choice
      label="Theme"
      name="small soft screen"
      value={theme}
      onChange={(value) => setTheme(themeOf(value))}
      options={themes}
    />
  );
}
