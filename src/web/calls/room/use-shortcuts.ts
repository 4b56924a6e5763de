import { useEffect, useRef, useState } from 'react'
import { type PressedIn, type Shortcut, shortcutOf } from './shortcuts.ts'

const key = 'carga.call.letters'

/** Whether letters do something: who dictates to the computer, or hits keys by accident, turns them off. */
export type Letters = { on: boolean; set: (on: boolean) => void }

/** Listens to the keys of a call as long as its screen is there. */
export function useShortcuts(actions: Record<Shortcut, () => void>): Letters {
  const [on, setOn] = useState(() => localStorage.getItem(key) !== 'off')
  const latest = useRef({ actions, on })
  latest.current = { actions, on }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const shortcut = shortcutOf(event, placeOf(event.target), latest.current.on)
      if (!shortcut) return
      if (shortcut !== 'close') event.preventDefault()
      latest.current.actions[shortcut]()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return {
    on,
    set: (wanted) => {
      localStorage.setItem(key, wanted ? 'on' : 'off')
      setOn(wanted)
    },
  }
}

const fields = 'input, textarea, select, [contenteditable="true"]'

function placeOf(target: EventTarget | null): PressedIn {
  if (!(target instanceof Element)) return 'page'
  if (target.closest('[role="dialog"], [role="menu"]')) return 'dialog'
  return target.matches(fields) ? 'field' : 'page'
}
