import type { Sending } from '../merge.ts'
import { noRows, type StoredRows } from './rows.ts'

/** `signed-out`: all waits until its person signs in; `other-person`: another person did. */
export type Hold = 'signed-out' | 'other-person' | null
/** `pictures`: by which address each photo of the phone is shown. */
export type PhoneState = {
  rows: StoredRows
  sending: Sending
  hold: Hold
  pictures: ReadonlyMap<string, string>
  /** The folios of what was submitted after it was taken away, since this page is open. */
  claimed: readonly string[]
}

export const emptyPhone: PhoneState = {
  rows: noRows,
  sending: null,
  hold: null,
  pictures: new Map(),
  claimed: [],
}

/** Holds the state and notifies the subscribers of each change. */
export function createPhoneState() {
  let state = emptyPhone
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change: Partial<PhoneState>) {
      state = { ...state, ...change }
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
