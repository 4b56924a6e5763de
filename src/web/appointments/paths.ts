/** Where one of somebody's own appointments is a file. */
export const calendarFileOf = (appointmentId: string) => `/calendar/${appointmentId}.ics`
/** Where a calendar is subscribed to, by its secret. */
export const feedPath = (secret: string) => `/calendar/feed/${secret}.ics`

/** The name in such a path, without its ending; what ends otherwise names nothing. */
export const fileName = (file: string) => (file.endsWith('.ics') ? file.slice(0, -4) : '')

export const isCalendar = { 'content-type': 'text/calendar; charset=utf-8' }
