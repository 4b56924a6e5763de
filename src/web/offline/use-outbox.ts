import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useMatches, useNavigation, useRevalidator } from 'react-router'
import { isBeingFilledIn } from '../lib/live.ts'
import { type Phone, phoneOf } from '../reports/phone.ts'
import { isLost } from './network.ts'
import { startOutbox } from './outbox.ts'
import { emptyPhone } from './phone-state.ts'
import type { Rows } from './rows.ts'
import { isOpen } from './send-order.ts'
import { forgetSent, forgetSentMoves } from './written.ts'

/** What this person has on this phone, sent by itself as long as the screen stands; null where the browser keeps nothing. */
export function useOutbox(personId: string) {
  const [phone, setPhone] = useState<Phone | null>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    phoneOf(personId).then(
      (opened) => {
        if (isOver) return
        stop = startOutbox(opened)
        setPhone(opened)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [personId])
  const state = useSyncExternalStore(
    phone?.state.subscribe ?? never,
    () => phone?.state.get() ?? emptyPhone,
    () => emptyPhone,
  )
  useHeard(phone, state.rows)
  return { phone, state }
}

const never = () => () => {}

/**
 * The server has heard of something: the screen is asked for anew, and the phone's word for it is let go once what the screen
 * has from the server is newer. A form sent meanwhile may have taken the place of that question, which is then asked again.
 */
function useHeard(phone: Phone | null, { answers, files, moves }: Rows) {
  const { revalidate } = useRevalidator()
  const idle = useNavigation().state === 'idle'
  const data = useMatches().at(-1)?.loaderData
  const asked = useRef<{ data: unknown }>(null)
  const written = [...answers, ...files]
  // Answers go together, at the end: each time the pages kept of them are fetched again.
  const sent = [...moves, ...(written.some(isOpen) ? [] : written)].filter((row) => !isOpen(row)).length
  useEffect(() => {
    if (!phone || sent === 0) {
      asked.current = null
      return
    }
    // The router forgets with a refresh what a form was answered with: it is asked once that form is sent.
    if (!idle || isLost() || isBeingFilledIn()) return
    if (asked.current && asked.current.data !== data) {
      asked.current = null
      void forgetSentMoves(phone).then(() => forgetSent(phone))
      return
    }
    asked.current = { data }
    void revalidate()
  }, [phone, sent, idle, data, revalidate])
}
