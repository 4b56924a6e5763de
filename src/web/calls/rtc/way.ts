import type { CallState } from './call-state.ts'

type Wiring = {
  /** Looks for a way once more: an ICE restart. */
  restart: () => void
  tell: (way: CallState['way']) => void
}

/** How long one try has, and how long a break may last that mends itself; milliseconds. */
const tryTakes = 15_000
const grace = 3_000
/** Tries that fail until there is said to be no way: before the first success, and after one, when networks change. */
const enough = { first: 2, later: 4 }

/** How long to wait after so many tries that failed, in milliseconds. They never end while both are in the room. */
export const retryWait = (failures: number): number => [0, 1_000, 3_000, 6_000, 10_000][failures] ?? 15_000

/** Watches the way to the other side and has it looked for again whenever it breaks. */
export function createWay({ restart, tell }: Wiring) {
  let isOpen = false
  let wasOpen = false
  let isTrying = true
  let isHeld = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function later(ms: number, run: () => void) {
    clearTimeout(timer)
    if (!isHeld) timer = setTimeout(run, ms)
  }
  function attempt() {
    isTrying = true
    restart()
    later(tryTakes, failed)
  }
  function failed() {
    isTrying = false
    failures += 1
    if (failures >= (wasOpen ? enough.later : enough.first)) tell('no_way')
    later(retryWait(failures), attempt)
  }
  function opened() {
    clearTimeout(timer)
    isOpen = wasOpen = true
    isTrying = false
    failures = 0
    tell('open')
  }
  function broke(wait: number) {
    isOpen = false
    tell('reconnecting')
    later(wait, attempt)
  }
  later(tryTakes, failed)
  return {
    connection(state: RTCPeerConnectionState) {
      if (state === 'connected') opened()
      else if (isOpen && state === 'disconnected') broke(grace)
      else if (isOpen && state === 'failed') broke(0)
      // Broken before, and within its grace it became final.
      else if (state === 'failed' && wasOpen && !isTrying && failures === 0) later(0, attempt)
      else if (state === 'failed' && isTrying) failed()
    },
    /** Nothing of one's own to begin with: the time of this try need not be waited out. */
    nothingFound() {
      if (isTrying && !wasOpen) failed()
    },
    /** Without signalling, or without the other side, there is nobody to arrange a way with: then it waits. */
    hold(held: boolean) {
      if (isHeld === held) return
      isHeld = held
      clearTimeout(timer)
      if (held || isOpen) return
      failures = 0
      attempt()
    },
    tryAgain() {
      if (isOpen) return
      failures = 0
      tell(wasOpen ? 'reconnecting' : 'connecting')
      attempt()
    },
    close: () => clearTimeout(timer),
  }
}
export type Way = ReturnType<typeof createWay>
