import { fork } from 'node:child_process'
import path from 'node:path'
import { brokenPicture } from '../../documents/rules/picture-kind.ts'
import { refuse } from '../../shared/refusal.ts'
import { log } from '../telemetry/log.ts'
import type { PictureAnswer, PictureFault, PictureQuestion, Sizes } from './picture-sizes.ts'
import { NoSpace } from './receive.ts'

/**
 * Of 64 kB, for the decoder of HEIC: 51 megapixels (heic.ts) take some 612 MB of them. What a file really holds may be more
 * than it says of itself; V8's own limit on its heap does not count this memory.
 */
const mostPages = 12_288

type PictureChild = ReturnType<typeof openChild>

/** A process that works on one picture at a time. An idle one does not keep the parent running. */
export function openChild(file: string) {
  // Without our own environment: a picture that exploits its decoder finds no secret in it.
  const env = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' }
  const child = fork(file, {
    execArgv: [`--wasm-max-mem-pages=${mostPages}`],
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', (err) => log.error({ err }, 'picture process failed'))
  const busy = (is: boolean) => {
    child[is ? 'ref' : 'unref']()
    child.channel?.[is ? 'ref' : 'unref']()
  }
  return {
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    end: () => child.connected && child.disconnect(),
    /** Null when the process died of the request, or was ended because it took too long. */
    async ask(question: PictureQuestion, timeMs: number): Promise<PictureAnswer | null> {
      const { promise, resolve } = Promise.withResolvers<PictureAnswer | null>()
      // A process that already died does not report it again.
      const giveUp = () => {
        child.kill('SIGKILL')
        resolve(null)
      }
      const late = setTimeout(giveUp, timeMs)
      const answered = (answer: unknown) => resolve(answer as PictureAnswer)
      const died = (code: number | null, signal: string | null) => {
        log.warn({ code, signal }, 'picture process exited')
        resolve(null)
      }
      busy(true)
      child.once('message', answered).once('exit', died)
      child.send(question, (error) => error && giveUp())
      const answer = await promise
      clearTimeout(late)
      child.off('message', answered).off('exit', died)
      busy(false)
      return answer
    },
  }
}

/** A waiting request, and whose. */
type Waiting = { who: string | undefined; begin: () => void }

/**
 * Limits how many run at the same time, and of one user (`who`) one unless told otherwise. Of those who wait the one
 * goes first whose last turn is longest ago, so that many requests of one user delay another user by one. `ahead`
 * returns how many go before the next one of a user.
 */
export function turnstile(most: number, { oneEach = true } = {}) {
  const queue: Waiting[] = []
  const busy = new Set<string>()
  const turns = lastTurns()
  let inside = 0
  const mayBegin = ({ who = '' }: Pick<Waiting, 'who'>) => inside < most && !(oneEach && busy.has(who))
  const enter = (who: string | undefined) => {
    inside++
    if (who) busy.add(who)
    turns.begin(who)
  }
  const leave = (who: string | undefined) => {
    inside--
    if (who) busy.delete(who)
    const next = turns.longestAgo(queue.filter(mayBegin))
    if (queue.length === 0) turns.forget()
    if (!next) return
    queue.splice(queue.indexOf(next), 1)
    enter(next.who)
    next.begin()
  }
  const inTurn = async <Result>(run: () => Promise<Result>, who?: string): Promise<Result> => {
    if (mayBegin({ who })) enter(who)
    else {
      turns.join(who, queue)
      await new Promise<void>((begin) => queue.push({ who, begin }))
    }
    try {
      return await run()
    } finally {
      leave(who)
    }
  }
  const ahead = (who: string | undefined) => {
    const waiting = Map.groupBy(queue, (one) => one.who ?? one)
    const own = waiting.get(who ?? '')?.length ?? 0
    return [...waiting.values()].reduce((sum, { length }) => sum + Math.min(length, own + 1), 0)
  }
  return Object.assign(inTurn, { ahead })
}

/** The turn in which each user last began; forgotten once nobody waits. */
function lastTurns() {
  const began = new Map<string, number>()
  let turn = 0
  const of = ({ who = '' }: Waiting) => began.get(who) ?? 0
  return {
    begin: (who: string | undefined) => who && began.set(who, ++turn),
    /** Who comes newly stands with those who wait longest, not before all. */
    join(who: string | undefined, queue: readonly Waiting[]) {
      if (who && !began.has(who)) began.set(who, Math.min(turn, ...queue.map(of)))
    },
    longestAgo: (able: readonly Waiting[]) => able.toSorted((one, other) => of(one) - of(other))[0],
    forget: () => began.clear(),
  }
}

/** Pictures worked on at the same time: each takes a processor. */
const mostAtOnce = 2

/** How long processes without work are kept. */
const idleMs = 60_000

/** The file that the processes run, and their time for one picture. */
type Input = { file?: string; timeMs?: number }

/**
 * Makes the sizes of pictures in separate processes; others wait in a queue, in which a user holds one place. A process
 * that dies or takes too long fails only its own picture.
 */
export function openPictures({ file = processFile(), timeMs = 30_000 }: Input = {}) {
  const idle: PictureChild[] = []
  const inTurn = turnstile(mostAtOnce)
  let tired: NodeJS.Timeout | undefined
  const rest = (child: PictureChild) => {
    idle.push(child)
    clearTimeout(tired)
    tired = setTimeout(() => {
      for (const one of idle.splice(0)) one.end()
    }, idleMs)
    tired.unref()
  }
  const take = () => {
    for (let child = idle.pop(); child; child = idle.pop()) if (child.isAlive()) return child
    return openChild(file)
  }
  return (question: PictureQuestion, person: string): Promise<Sizes> =>
    inTurn(async () => {
      const child = take()
      const answer = await child.ask(question, timeMs)
      if (answer?.retires) child.end()
      else if (answer) rest(child)
      const made = answer?.made ?? 'broken'
      if (made === 'no-space') throw new NoSpace()
      return typeof made === 'string' ? refuse('invalid-argument', words[made]) : made
    }, person)
}

const words: Record<Exclude<PictureFault, 'no-space'> | 'unknown-kind', string> = {
  'unknown-kind': 'Este archivo no es una foto que podamos leer. Usa JPEG, PNG, WebP o HEIC.',
  broken: brokenPicture,
  moving: 'Esto es una animación. Toma una foto.',
  'too-many-pixels': 'Esta foto tiene demasiados megapíxeles. Tómala con la resolución normal de tu cámara.',
}

/** From the source, beside which the build stands; found as the folder of built files is. */
const processFile = () => path.resolve('src/platform/storage/picture-process.ts')

/** The one queue for all pictures of this process. */
export const sizesOf = openPictures()
