import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Service } from '../../domain/appointments/appointment.ts'
import { someoneElse } from '../../domain/appointments/rules.ts'
import { arrivalWindow, atTime, shortDate, theTime } from '../../domain/shared/format.ts'
import type { OwnWaiting } from '../../server/scheduling/queries.ts'
import { Alert } from '../ui/alert.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type HeldOutProps = {
  service: Service
  window: number
  now: Date
  offer: NonNullable<OwnWaiting['offer']>
}

/** An earlier time that opened, held out for a while: whoever takes it first has it. */
export function HeldOut({ service, window, now, offer }: HeldOutProps) {
  const { id, startsAt, expiresAt, isGone } = offer
  const minutes = useMinutesUntil(expiresAt, now)
  if (isGone) return <Alert tone="info" title={someoneElse} />
  const hour = service === 'videocall' ? atTime(startsAt) : arrivalWindow(startsAt, window)
  return (
    <Alert
      tone="info"
      title={`Se abrió un lugar antes: ${shortDate(startsAt)}`}
      actions={
        <Form intent={['claim', 'decline']} target={{ offerId: id }}>
          <div className="flex flex-wrap gap-2">
            <Submit name="intent" value="claim">
              Tomarlo
            </Submit>
            <Submit name="intent" value="decline" variant="ghost">
              No, gracias
            </Submit>
          </div>
        </Form>
      }
    >
      {hour} Es de quien lo tome primero; te lo ofrecemos hasta {theTime(expiresAt)}
      <span aria-hidden>
        {minutes > 0 && ` (${minutes === 1 ? 'queda 1 minuto' : `quedan ${minutes} minutos`}).`}
      </span>
    </Alert>
  )
}

const aMinute = 60_000

/** Whole minutes left, counted on while the page is open; at the end the page looks again. */
function useMinutesUntil(end: Date, now: Date): number {
  const { revalidate } = useRevalidator()
  const [at, setAt] = useState(now.getTime())
  const left = end.getTime() - at
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(
      () => {
        setAt(Date.now())
        if (Date.now() >= end.getTime()) void revalidate()
      },
      left % aMinute || aMinute,
    )
    return () => clearTimeout(timer)
  }, [left, end, revalidate])
  return Math.max(0, Math.ceil(left / aMinute))
}
