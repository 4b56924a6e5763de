import type { CallState } from './call-state.ts'

/** Holds the state of a call and tells who subscribed, once for each change. */
export function createStore(first: CallState) {
  let state = first
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change: Partial<CallState>) {
      const keys = Object.keys(change) as (keyof CallState)[]
      if (keys.every((key) => Object.is(change[key], state[key]))) return
      state = { ...state, ...change }
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
