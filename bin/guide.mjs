import { pinnedNode, ready } from './bootstrap.mjs'
import { ensureChromium } from './chromium.mjs'
import { runSteps } from './steps.mjs'

// npm run guide -- manager analista: only those pages.
ready()
ensureChromium()
await runSteps([{ name: 'guía', command: [pinnedNode, 'guide/build.ts', ...process.argv.slice(2)] }])
