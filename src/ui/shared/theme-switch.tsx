import { useEffect, useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const key = 'assay-theme';

const isTheme = (value: unknown): value is Theme => themes.some((one) => one === value);

/** Stored theme. A page from disk may have no access to storage. */
function remembered(): Theme {
  try {
    const value = localStorage.getItem(key);
    return isTheme(value) ? value : 'auto';
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
    <label class="small soft screen">
      Theme{' '}
      <select
        value={theme}
        onChange={({ currentTarget: { value } }) => {
          if (isTheme(value)) setTheme(value);
        }}
      >
        {themes.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}
