import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { refuse } from '../../shared/refusal.ts'
import { openPlaces } from '../storage/places.ts'
import { log } from '../telemetry/log.ts'
import type { CopiedPages, Uncopied } from './copied.ts'
import type { Table } from './excel.ts'
import type { Paper } from './paper.ts'

/** What the thread is asked for: to draw a document, to write an Excel file, or to copy the pages of another's. */
export type Work = { draw: Paper } | { table: Table } | { copy: Uint8Array; mostPages: number }

/** How long a document may take, and how long a thread without work is kept: it holds some 100 MB. */
const TIMEOUT_MS = 30_000
const IDLE_MS = 30_000

/** Another's PDF may be made to take long, or to unpack without end: what the process may hold more meanwhile. */
const copying = { timeMs: 8000, bytes: 400 * 1024 * 1024, lookMs: 50 }

/** Further requests are refused, so that their data do not fill the memory and no user fills the queue. */
const places = openPlaces({
  all: 20,
  each: 2,
  full: 'Estamos preparando muchos documentos. Intenta en un minuto.',
})

let thread: Worker | null = null
/** When the code of a thread is there. */
const loaded = new WeakMap<Worker, Promise<unknown>>()
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Lays out a document for a user in a thread, one after the other; the process continues meanwhile. */
export async function renderPdf(paper: Paper, person: string): Promise<Uint8Array<ArrayBuffer>> {
  return (await renderWritten(async () => paper, person)).pdf
}

/** A table as an Excel file for a user, read once the user has a place. */
export const renderExcel = (read: () => Promise<Table>, person: string) =>
  places.within(
    person,
    async () => (await inTurn({ table: await read() }, TIMEOUT_MS)) as Uint8Array<ArrayBuffer>,
  )

/** The same of a document that is written only once the user has a place: writing it takes memory, too. */
export const renderWritten = <Written extends Paper>(write: () => Promise<Written>, person: string) =>
  places.within(person, async () => {
    const paper = await write()
    try {
      return { paper, pdf: (await inTurn({ draw: paper }, TIMEOUT_MS)) as Uint8Array<ArrayBuffer> }
    } catch (err) {
      log.error({ err, folio: paper.folio }, 'PDF rendering failed')
      return refuse('internal', 'No pudimos preparar el documento. Vuelve a intentarlo en un momento.')
    }
  })

/** What became of a PDF that was to be copied, and how long the thread worked on it: not how long it waited for others. */
export type Copying = { copied: CopiedPages | Uncopied; workedMs: number }

/** Copies the pages of another's PDF in the thread, which is ended where the file takes too long or too much. */
export async function copyInThread(bytes: Uint8Array, mostPages: number): Promise<Copying> {
  let watch: NodeJS.Timeout | undefined
  let began = performance.now()
  const ended = (copied: Copying['copied']) => ({ copied, workedMs: performance.now() - began })
  try {
    const copied = await inTurn({ copy: bytes, mostPages }, copying.timeMs, (giveUp) => {
      // In its turn: what others drew before is not its own.
      began = performance.now()
      const before = process.memoryUsage.rss()
      watch = setInterval(() => {
        if (process.memoryUsage.rss() - before > copying.bytes) giveUp()
      }, copying.lookMs)
    })
    return ended(copied as Copying['copied'])
  } catch (err) {
    log.warn({ err }, 'a PDF was not copied')
    return ended('broken')
  } finally {
    clearInterval(watch)
  }
}

type Watch = (giveUp: () => void) => void

function inTurn(work: Work, timeMs: number, watch?: Watch): Promise<unknown> {
  // In development nothing is built, and blocking the process is acceptable.
  if (import.meta.env.DEV) return inProcess(work)
  const made = last.then(() => ask(work, timeMs, watch))
  last = made.catch(() => undefined)
  return made
}

async function inProcess(work: Work) {
  if ('draw' in work) return new Uint8Array(await (await import('./pdf.tsx')).pdfOf(work.draw))
  if ('table' in work) return (await import('./excel.ts')).excelOf(work.table)
  return (await import('./copied.ts')).copyPages(work.copy, work.mostPages)
}

async function ask(work: Work, timeMs: number, watch?: Watch): Promise<unknown> {
  clearTimeout(idle)
  thread ??= opened()
  const asked = thread
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const giveUpAfter = (ms: number) => setTimeout(() => reject(new Error('a document took too long')), ms)
  let late = giveUpAfter(TIMEOUT_MS)
  asked.once('error', reject).ref()
  try {
    // A busy machine loads the thread slowly, which is no fault of the document.
    await Promise.race([loaded.get(asked), promise])
    clearTimeout(late)
    late = giveUpAfter(timeMs)
    watch?.(() => reject(new Error('a document took too much memory')))
    asked.once('message', resolve)
    asked.postMessage(work)
    return await promise
  } catch (err) {
    end(asked)
    throw err
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
  loaded.set(worker, new Promise((resolve) => void worker.once('message', resolve)))
  worker.on('exit', () => {
    if (thread === worker) thread = null
  })
  return worker
}

function end(worker: Worker) {
  if (thread === worker) thread = null
  void worker.terminate()
}
