import { useEffect, useState } from 'react'
import type { CallSide } from '../../../domain/calls/room.ts'
import type { CallState } from '../rtc/call-state.ts'

export type PanelTab = 'chat' | 'aside'
/** What goes beside the picture; over it on a phone. */
export type Panel = {
  open: PanelTab | null
  unread: number
  show: (tab: PanelTab) => void
  toggle: (tab: PanelTab) => void
  close: () => void
}

/** The panel's own element, and the buttons that open it. */
export const panelId = 'panel'
export const chatButtonId = 'chat'
export const moreButtonId = 'more'

/** On a desk it is open from the beginning. */
const first = (aside: boolean): PanelTab | null => {
  if (!matchMedia('(width >= 64rem)').matches) return null
  return aside ? 'aside' : 'chat'
}

type Facts = { appointmentId: string; aside: boolean; chat: CallState['chat']; side: CallSide }

/** How many lines this tab has shown: a reload brings them all again. */
const readKey = (appointmentId: string) => `carga.call.read.${appointmentId}`

/** Which part of the panel is open, and how many lines came while the chat was not. */
export function usePanel({ appointmentId, aside, chat, side }: Facts): Panel {
  const [open, setOpen] = useState(() => first(aside))
  const theirs = chat.filter((line) => line.side !== side).length
  const [read, setRead] = useState(() => Number(sessionStorage.getItem(readKey(appointmentId)) ?? 0))
  if (open === 'chat' && theirs > read) setRead(theirs)
  useEffect(() => sessionStorage.setItem(readKey(appointmentId), String(read)), [appointmentId, read])
  const show = (tab: PanelTab) => {
    setOpen(tab)
    // Once it is drawn.
    requestAnimationFrame(enterPanel)
  }
  const close = () => {
    if (!open) return
    const hadFocus = document.getElementById(panelId)?.contains(document.activeElement)
    setOpen(null)
    if (hadFocus) document.getElementById(chatButtonId)?.focus()
  }
  return {
    open,
    unread: Math.max(0, theirs - read),
    show,
    toggle: (tab) => (open === tab ? close() : show(tab)),
    close,
  }
}

/** A keyboard of the screen would cover what was just opened: where there is no other, the panel itself gets the focus. */
function enterPanel() {
  const panel = document.getElementById(panelId)
  const field = panel?.querySelector<HTMLElement>('[data-state="active"] textarea')
  const target = matchMedia('(pointer: fine)').matches ? field : panel
  ;(target ?? panel)?.focus()
}
