import { command, ready } from './bootstrap.mjs'
import { runSteps } from './steps.mjs'

ready({ build: false })
// Its colours are worth a line a letter in a log.
const colors = process.stdout.isTTY ? [] : ['--colors=off']
await runSteps([
  { name: 'biome', command: [...command('@biomejs/biome', 'biome'), 'ci', ...colors, '.'] },
  { name: 'typegen', command: [...command('@react-router/dev', 'react-router'), 'typegen'] },
  { name: 'tsc', command: [...command('typescript', 'tsc'), '--noEmit'] },
  { name: 'knip', command: command('knip') },
  { name: 'flechas', command: [...command('vitest'), 'run', '--config', 'vitest.arrows.ts'] },
])
