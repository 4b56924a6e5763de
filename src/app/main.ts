/**
 * The first file Node runs. In production it imports nothing of ours but the build: a second copy of a module would have
 * a second copy of its state. `--dev` serves the sources through Vite instead.
 */
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import path from 'node:path'

// Files are readable by their owner only, unless their mode says otherwise.
process.umask(0o077)
// The next start need not compile again. Where the build's folder is not writable, every start does.
enableCompileCache(path.resolve(import.meta.dirname, '../../build/server/.compiled'))

const asked = process.env.NODE_ENV
const source: NodeJS.ProcessEnv = { ...process.env, ...(asked === undefined ? {} : { NODE_ENV: asked }) }
const [command, ...operands] = process.argv.slice(2)
const [operand, option] = operands

/** One web process for each core but one, which PostgreSQL takes; a worker serves no pages. */
const count = source.ROLE === 'worker' ? 1 : Number(source.WEB_PROCESSES || availableParallelism() - 1)

try {
  if (command === '--dev') {
    const { developmentServer } = await import('./development.ts')
    await developmentServer(source)
  } else if (command === '--processes' && count > 1) {
    const { runProcesses }: typeof import('./processes.ts') = await import(
      new URL('../../build/server/processes.js', import.meta.url).href
    )
    await runProcesses(source, count, operand === '--late')
  } else {
    // React picks its fast build by this variable; what the operator set is in `source`.
    process.env.NODE_ENV = 'production'
    const build: typeof import('./app.ts') = await import(
      new URL('../../build/server/app.js', import.meta.url).href
    )
    if (command === 'manager') await build.makeManager(source, operand, option)
    else if (command === 'backup') await build.backup(source)
    else if (command === 'restore') await build.restore(source, operand, option)
    else if (command === 'import') await build.importPeople(source, operands)
    else if (command === 'reconcile-emails') await build.reconcileEmails(source, operands)
    else if (command === 'postal') await build.loadPostalList(source, operand)
    else
      await build.start(source, build.createApp, {
        shared: command === '--shared',
        late: operand === '--late',
      })
  }
} catch (error) {
  console.error(error instanceof Error ? lineOf(error) : error)
  if (process.env.LOG_LEVEL === 'debug') console.error(error)
  process.exit((error as { exitCode?: number } | null)?.exitCode ?? 1)
}

/** A failed query's message quotes its parameters, which may be personal data; PostgreSQL's own message does not. */
function lineOf({ cause, message }: Error): string {
  return cause instanceof Error && message.startsWith('Failed query') ? cause.message : message
}
