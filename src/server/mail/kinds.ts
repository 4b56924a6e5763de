/** The letters about an appointment, by who reads them; `person` is who carries it out, or did until now. */
export type AppointmentLetters = {
  customer:
    | 'booked'
    | 'assigned'
    | 'changed'
    | 'cancelled'
    | 'on_the_way'
    | 'no_person'
    | 'let_go'
    | 'called_off'
    | 'analyst_missed'
    | 'reminder_24h'
    | 'reminder_2h'
    | 'finished'
    | 'fault_received'
  managers: 'no_person' | 'late_cancel' | 'nobody_came' | 'analyst_missed'
  /** `no_person` tells that they were taken off. */
  person: 'assigned' | 'changed' | 'cancelled' | 'no_person' | 'called_off' | 'sheet_returned'
}
export type To = keyof AppointmentLetters

/** How it was before a change: a start as ISO text, a municipality. Of a reminder, the start it was chosen for. */
export type Was = { startsAt?: string; zone?: string | null }

type AboutAppointment = {
  [Reader in To]: {
    letter: AppointmentLetters[Reader]
    appointmentId: string
    to: Reader
    was?: Was
  } & (Reader extends 'person' ? { personId?: string } : object)
}[To]

/** A slot held out to whoever waits for an earlier one, or another time because of an absence: rows of slot_offers and move_offers. */
export type AboutOffer = { letter: 'slot_offer' | 'move_offer'; offerId: string; to: 'customer' }

/** A row of time_off, asked for or answered. */
export type AboutTimeOff =
  | { letter: 'time_off_asked'; timeOffId: string; to: 'managers' }
  | { letter: 'time_off_answered'; timeOffId: string; to: 'person' }

/**
 * What a letter's job carries. Without `personId` the person is whoever is confirmed when it is written; name somebody
 * who was, or may be, taken off.
 */
export type LetterJob = AboutAppointment | AboutOffer | AboutTimeOff
export type AppointmentLetterJob = AboutAppointment
