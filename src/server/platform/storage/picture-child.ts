import { fork } from 'node:child_process'
import { log } from '../../app/log.ts'
import type { PictureAnswer, PictureQuestion } from './picture-process.ts'

/**
 * Of 64 kB, for the decoder of HEIC: 51 megapixels (heic.ts) take some 612 MB of them. What a file really holds may be more
 * than it says of itself; V8's own limit on its heap does not count this memory.
 */
const mostPages = 12_288

export type PictureChild = ReturnType<typeof openChild>

/** A process that works on one picture at a time. Idle, it keeps nobody from ending. */
export function openChild(file: string) {
  // Without what our own environment knows: a picture that takes its decoder over finds no secret in it.
  const env = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' }
  const child = fork(file, {
    execArgv: [`--wasm-max-mem-pages=${mostPages}`],
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', (err) => log.error({ err }, 'a process for pictures failed'))
  const busy = (is: boolean) => {
    child[is ? 'ref' : 'unref']()
    child.channel?.[is ? 'ref' : 'unref']()
  }
  return {
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    end: () => child.connected && child.disconnect(),
    /** Null when the process died of the question, or was ended because it took too long. */
    async ask(question: PictureQuestion, timeMs: number): Promise<PictureAnswer | null> {
      const { promise, resolve } = Promise.withResolvers<PictureAnswer | null>()
      // One that is dead already says so no more.
      const giveUp = () => {
        child.kill('SIGKILL')
        resolve(null)
      }
      const late = setTimeout(giveUp, timeMs)
      const answered = (answer: unknown) => resolve(answer as PictureAnswer)
      const died = (code: number | null, signal: string | null) => {
        log.warn({ code, signal }, 'a process for pictures died')
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
