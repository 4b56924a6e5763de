/** "09:30", of a minute after midnight, as a box for times takes it. */
export const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The minute after midnight of "9:30" or "09:30", or null when it is no time. */
export function minuteOfClock(typed: string): number | null {
  const [, hour, minute] = /^(\d{1,2}):([0-5]\d)(?::00)?$/.exec(typed) ?? []
  return hour === undefined || Number(hour) > 23 ? null : Number(hour) * 60 + Number(minute)
}
