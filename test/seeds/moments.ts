/** On what day and hour the demo is loaded. */
const all = {
  'a working morning': '2026-11-24T11:20:00-06:00',
  'New Year': '2027-01-01T00:01:00-06:00',
  'after a Friday holiday': '2026-05-02T06:00:00-06:00',
  'a Sunday night': '2026-11-22T23:40:00-06:00',
  'the last night of the year': '2026-12-31T23:59:00-06:00',
  'a leap day': '2028-02-29T17:45:00-06:00',
  'before a Monday holiday': '2026-11-14T13:55:00-06:00',
  'before Christmas': '2026-12-24T08:00:00-06:00',
  'a Sunday morning': '2026-11-22T08:10:00-06:00',
  'a holiday at noon': '2026-11-16T12:20:00-06:00',
  'a working evening': '2026-11-25T19:05:00-06:00',
}

export const anyDay = all['a working morning']

/** The first moments; `npm test` takes one of them, `npm run test:slow` all: loading the demo costs seconds. */
export const moments = (count = Object.keys(all).length): [string, string][] =>
  Object.entries(all).slice(0, process.env.EVERY_MOMENT ? count : 1)
