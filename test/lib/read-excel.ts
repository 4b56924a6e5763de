import { strFromU8, unzipSync } from 'fflate'

const unescaped = (text: string) =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: 'lt') => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name]!,
  )

/** The cells of an .xlsx file, row by row: text as text, amounts and counts as numbers, dates as dates; null where empty. */
export async function readExcel(answer: Response): Promise<(string | number | Date | null)[][]> {
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  const of = (name: string) => strFromU8(files[`xl/${name}`]!)
  const strings = [...of('sharedStrings.xml').matchAll(/<si>.*?<t[^>]*>(.*?)<\/t>.*?<\/si>/gs)].map(
    ([, text]) => unescaped(text!),
  )
  const dateFormat = /numFmtId="(\d+)" formatCode="dd\/mm\/yyyy"/.exec(of('styles.xml'))?.[1]
  const formats = [
    ...of('styles.xml')
      .split('<cellXfs')[1]!
      .matchAll(/<xf (?:[^>]*?numFmtId="(\d+)")?/g),
  ].map(([, id]) => id)
  return [...of('worksheets/sheet1.xml').matchAll(/<row .*?<\/row>/gs)].map(([row]) => {
    const cells: (string | number | Date | null)[] = []
    for (const [, column, more, value] of row.matchAll(
      /<c r="([A-Z]+)\d+"([^>]*?)(?:\/>|>(?:<v>(.*?)<\/v>)?<\/c>)/gs,
    )) {
      const at = [...column!].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1
      const isDate =
        dateFormat !== undefined && formats[Number(/ s="(\d+)"/.exec(more!)?.[1] ?? 0)] === dateFormat
      const text = more!.includes('t="s"') ? strings[Number(value)]! : null
      const number = isDate ? new Date((Number(value) - 25_569) * 86_400_000) : Number(value)
      cells[at] = value === undefined ? null : (text ?? number)
    }
    return Array.from(cells, (cell) => cell ?? null)
  })
}
