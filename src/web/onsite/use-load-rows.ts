import { type RefObject, useRef, useState } from 'react'
import type { HouseLoad } from '../../domain/sheet.ts'
import { useFollowed } from '../ui/radio-cards.tsx'
import { asTyped, rowsOn } from './typed-loads.ts'
import type { Hear } from './use-box.ts'

/** The rows of a list of appliances on the page: added, filled in and taken out by hand, or replaced from elsewhere. */
export function useLoadRows(
  group: RefObject<HTMLFieldSetElement | null>,
  value: readonly HouseLoad[],
  hear: Hear,
) {
  const added = useRef(0)
  const [rows, setRows] = useState(() => value.map(asTyped))
  useFollowed(JSON.stringify(value), () => {
    if (!group.current?.contains(document.activeElement)) setRows(value.map(asTyped))
  })
  const add = (name: string) => {
    added.current += 1
    const key = `added-${added.current}`
    setRows((before) => [...before, { key, name, watts: '', quantity: '1' }])
    // The first of its boxes that is still empty.
    const part = name ? 'watts' : 'name'
    requestAnimationFrame(() =>
      group.current?.querySelector<HTMLElement>(`[data-row="${key}"] [data-part=${part}]`)?.focus(),
    )
  }
  const remove = (gone: string) => {
    hear(
      rowsOn(group.current).filter(({ key }) => key !== gone),
      true,
    )
    setRows((before) => before.filter(({ key }) => key !== gone))
    group.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return { rows, add, remove }
}
