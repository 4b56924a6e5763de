import { useEffect, useRef } from 'react'
import { areSingleKeysOn, choiceLife, singleKeysCookie } from '../shared/device.ts'

const typing = 'input:not([type=checkbox]), textarea, select, [contenteditable="true"]'
/** Enter presses these; held down, it presses nothing else. */
const pressed = 'a[href], button, summary, input'
const isOwnEnter = ({ key, repeat, target }: KeyboardEvent) =>
  key === 'Enter' && (repeat || (target instanceof Element && target.closest(pressed) !== null))
/** In front of a dialog, and in a call, the keys are theirs. */
const apart = '[role=dialog], dialog[open], [data-call]'

const isTyping = ({ target }: Event) => target instanceof Element && target.closest(typing) !== null

/**
 * Shortcuts of one key, as long as its screen is there: not where something is typed, nor in front of a dialog. Some
 * people's software presses keys for what they say: a device can switch all of them off (WCAG 2.1.4).
 */
export function useSingleKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, defaultPrevented, key, metaKey } = event
      if (defaultPrevented || altKey || ctrlKey || metaKey || isTyping(event) || isOwnEnter(event)) return
      if (!Object.hasOwn(latest.current, key) || document.querySelector(apart) || !singleKeysAct()) return
      event.preventDefault()
      latest.current[key]!()
    }
    document.addEventListener('keydown', act)
    return () => document.removeEventListener('keydown', act)
  }, [])
}

export const singleKeysAct = () => areSingleKeysOn(document.cookie)

export const switchSingleKeys = (on: boolean) => keepOnDevice(singleKeysCookie, on ? null : 'no')

/** Keeps a choice on this device for a year; null is the usual one. */
export function keepOnDevice(name: string, value: string | null): void {
  const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
  const life = value === null ? 0 : choiceLife
  // biome-ignore lint/suspicious/noDocumentCookie: Safari before 18.4 has no other way, and this one answers at once.
  document.cookie = `${prefix}${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${life}${secure}`
}
