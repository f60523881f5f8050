/** The Chromium that browser tests drive: the one the machine has, else Debian's package where this process may install it. */
import { accessSync, constants } from 'node:fs';
import { runToEnd } from './processes.ts';
import { root } from './repository.ts';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function found(): string | undefined {
  const wanted = process.env.CHROMIUM_PATH;
  return [...(wanted ? [wanted] : []), ...places].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Path of the browser, or the one line that says what to install. */
export async function provideChromium(): Promise<{ path: string } | { missing: string }> {
  const here = found();
  if (here) return { path: here };
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    console.error('Installing Chromium ...');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runToEnd('apt-get', ['update'], { cwd: root, env })
      .then(() => runToEnd('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { cwd: root, env }))
      .catch((error: Error) => console.error(error.message));
    const installed = found();
    if (installed) return { path: installed };
  }
  return { missing: 'The browser tests need Chromium: install the package `chromium` (Debian: apt-get install chromium), or set CHROMIUM_PATH.' };
}
