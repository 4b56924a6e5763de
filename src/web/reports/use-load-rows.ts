import { type RefObject, useRef, useState } from 'react'
import { useFollowed } from '../ui/radio-cards.tsx'
import { type LoadRowData, rowsOn } from './typed-loads.ts'
import type { Hear } from './use-box.ts'

/** The rows of a list of appliances on the page: added, filled in and taken out by hand, or replaced from elsewhere. */
export function useLoadRows(
  group: RefObject<HTMLFieldSetElement | null>,
  shown: readonly LoadRowData[],
  hear: Hear,
) {
  const added = useRef(0)
  const [rows, setRows] = useState(shown)
  useFollowed(JSON.stringify(shown), () => {
    // What was kept from here is no news, and would take the keys of the rows away.
    const news = JSON.stringify(shown.map(boxesOf)) !== JSON.stringify(rowsOn(group.current).map(boxesOf))
    if (news && !group.current?.contains(document.activeElement)) setRows(shown)
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
    requestAnimationFrame(() => hear(rowsOn(group.current), false))
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

const boxesOf = ({ name, quantity, watts }: LoadRowData) => [name, watts, quantity]
