/** Words of a surname that don't stand alone. */
const particles = new Set('da das de del di do dos e la las los mac san santa van von y'.split(' '))

/** First surnames that are several words. */
const compound = /^(?:montes de oca|ponce de león|vda\.? de(?: la)? [^ ]+)(?= |$)/i

/** "Hernández R.", "de la Torre H.": the first surname whole, and the initial of the second one. */
function shortSurname(lastname: string): string {
  const first = compound.exec(lastname)?.[0]
  const rest = lastname.slice(first?.length ?? 0).split(' ')
  const words = [...(first ? [first] : []), ...rest].filter(Boolean)
  const isHead = (word: string) => !particles.has(word.toLowerCase())
  const end = words.findIndex(isHead) + 1 || words.length
  const second = words.slice(end).find(isHead)
  return [...words.slice(0, end), second && `${[...second][0]}.`].filter(Boolean).join(' ')
}

/** "María Hernández R." */
export const shortName = (name: string | null, lastname: string | null) =>
  [name, lastname && shortSurname(lastname)].filter(Boolean).join(' ')

/** The second part of a short name; all of it where there is no surname. */
export const surnameOf = (name: string | null, lastname: string | null) =>
  lastname ? shortSurname(lastname) : (name ?? '')
