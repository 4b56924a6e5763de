import { CalendarPlus } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { calendarFileOf } from './paths.ts'

/** Takes an appointment into the calendar of the phone or computer that shows it. */
export function CalendarLink({ appointmentId }: { appointmentId: string }) {
  return (
    <a className={buttonClass('ghost', 'justify-self-start')} href={calendarFileOf(appointmentId)}>
      <CalendarPlus aria-hidden className="size-5" />
      Calendario
    </a>
  )
}
