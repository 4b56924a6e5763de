import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { refuse } from '../../../domain/shared/refusal.ts'
import { openPlaces } from '../storage/addresses.ts'
import { log } from '../telemetry/log.ts'
import type { Paper } from './paper.ts'

/** How long a document may take, and how long a thread without work is kept: it holds some 100 MB. */
const [TIMEOUT_MS, IDLE_MS] = [30_000, 30_000]

/** Further requests are refused, so that their data do not fill the memory and no user fills the queue. */
const places = openPlaces({
  all: 20,
  each: 2,
  full: 'Estamos preparando muchos documentos. Intenta en un minuto.',
})

let thread: Worker | null = null
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Lays out a document for a user in a thread, one after the other; the process continues meanwhile. */
export async function renderPdf(paper: Paper, person: string): Promise<Uint8Array<ArrayBuffer>> {
  // In development nothing is built, and blocking the process is acceptable.
  if (import.meta.env.DEV) return new Uint8Array(await (await import('./pdf.tsx')).pdfOf(paper))
  return places.within(person, () => {
    const made = last.then(() => ask(paper))
    last = made.catch(() => undefined)
    return made
  })
}

async function ask(paper: Paper): Promise<Uint8Array<ArrayBuffer>> {
  clearTimeout(idle)
  thread ??= opened()
  const asked = thread
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  const late = setTimeout(() => reject(new Error('a document took too long')), TIMEOUT_MS)
  asked.once('message', resolve).once('error', reject)
  asked.ref()
  asked.postMessage(paper)
  try {
    return await promise
  } catch (err) {
    log.error({ err, folio: paper.folio }, 'PDF rendering failed')
    end(asked)
    return refuse('internal', 'No pudimos preparar el documento. Vuelve a intentarlo en un momento.')
  } finally {
    clearTimeout(late)
    asked.off('message', resolve).off('error', reject).unref()
    idle = setTimeout(() => end(asked), IDLE_MS)
    idle.unref()
  }
}

function opened() {
  // Not the flags of this process: they concern its own entry file.
  const worker = new Worker(path.resolve('build/server/papers.js'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    if (thread === worker) thread = null
  })
  return worker
}

function end(worker: Worker) {
  if (thread === worker) thread = null
  void worker.terminate()
}
