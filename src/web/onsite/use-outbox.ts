import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { isLost } from '../offline/network.ts'
import { startOutbox } from './outbox.ts'
import { type Phone, phoneOf } from './phone.ts'
import { emptyPhone } from './phone-state.ts'
import { forgetSentMoves } from './written.ts'

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
  useHeardMoves(phone, state.rows.moves.filter((row) => row.state === 'sent').length)
  return { phone, state }
}

const never = () => () => {}

/** The server has heard of a step: the screen is asked for anew, and only then the phone's word for it is let go. */
function useHeardMoves(phone: Phone | null, sent: number) {
  const { revalidate } = useRevalidator()
  const idle = useNavigation().state === 'idle'
  useEffect(() => {
    if (!phone || sent === 0 || !idle || isLost()) return
    void revalidate().then(() => forgetSentMoves(phone))
  }, [phone, sent, idle, revalidate])
}
