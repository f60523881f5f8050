/** The chosen colours: the system's, or one of the two. Kept in this browser. */
export type Theme = 'auto' | 'light' | 'dark';
const order: Theme[] = ['auto', 'light', 'dark'];

function stored(): Theme {
  const value = localStorage.getItem('theme');
  return value === 'light' || value === 'dark' ? value : 'auto';
}

class ThemeChoice {
  current = $state<Theme>(stored());

  next(): void {
    this.current = order[(order.indexOf(this.current) + 1) % order.length] ?? 'auto';
    if (this.current === 'auto') {
      localStorage.removeItem('theme');
      delete document.documentElement.dataset.theme;
    } else {
      localStorage.setItem('theme', this.current);
      document.documentElement.dataset.theme = this.current;
    }
  }
}

export const theme = new ThemeChoice();
