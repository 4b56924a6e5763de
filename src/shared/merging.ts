import { localDate, toMinutes } from './calendar.ts'
import { dateTime, theTime } from './format.ts'

/** The hidden field of a form that carries what one of its fields showed when the form was read. */
export const readName = (name: string) => `${name}.read`

/** The radio buttons that choose between two values of a field: `theirs`, otherwise one's own. */
export const pickName = (name: string) => `${name}.pick`

type Posted = Readonly<Partial<Record<string, string>>>

/** `followed`: only the other person changed it. `both`: each gave it another value. */
export type Merged = { shown: string; change: 'none' | 'followed' | 'both'; was: string; stored: string }

/** A form is sent with other line ends than it is drawn with. */
const plain = (text = '') => text.replaceAll('\r\n', '\n')

/**
 * What a form shows of a field after another person's save: the stored value where its user did not touch the field,
 * otherwise their own. Without the value that was read, a different one counts as theirs.
 */
export function mergeField(posted: Posted, name: string, value: string): Merged {
  const stored = plain(value)
  const read = posted[readName(name)]
  const was = plain(read ?? stored)
  const mine = read === undefined && posted[name] === undefined ? stored : plain(posted[name])
  const isTouched = read === undefined || mine !== was
  const isTheirs = stored !== mine && (read === undefined || stored !== was)
  if (!isTouched) return { shown: stored, change: isTheirs ? 'followed' : 'none', was, stored }
  return { shown: mine, change: isTheirs ? 'both' : 'none', was, stored }
}

/** The fields as they are to be saved, with the other person's values where they were chosen; `read` is kept apart. */
export function pickedValues(all: Readonly<Record<string, string>>) {
  const entries = Object.entries(all)
  const of = (ending: string) => entries.filter(([name]) => name.endsWith(ending))
  const picked = of('.pick').flatMap(([name, value]) => {
    const field = name.slice(0, -'.pick'.length)
    return value === 'theirs' ? [[field, all[readName(field)] ?? '']] : []
  })
  const values = entries.filter(([name]) => !/\.(read|pick)$/.test(name))
  return {
    values: Object.fromEntries([...values, ...picked]) as Record<string, string>,
    read: Object.fromEntries(of('.read')),
  }
}

/** Who saved, and when: "Mariana guardó a las 10:42 a. m.". */
export function saveWords(who: string, at: Date, now: Date): string {
  const isToday = localDate(toMinutes(at)) === localDate(toMinutes(now))
  return `${who} ${isToday ? `a ${theTime(at)}` : `el ${dateTime(at)}`}`
}
