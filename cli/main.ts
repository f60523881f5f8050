/** Starts `longhaul`. */
import { exit } from './exit.ts';
import { run } from './program.ts';

// Who reads the payload may have had enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exit.done);
  throw error;
});

process.exitCode = await run(process.argv);
