import { anId, oneOf, pageLinks, readFilters, searched } from '../../src/kit/list/filters.ts'
import { countLimits, countOf, rangeWords } from '../../src/shared/count.ts'

const idOf = (n: number) => `0197f9a0-0000-7000-8000-${String(n).padStart(12, '0')}`
const id = idOf(1)
const second = idOf(2)
const third = idOf(3)
const schema = { state: oneOf(['open', 'done']), agency: anId, text: searched('', 10) }
const read = (query: string) => readFilters(schema, new URL(`https://localhost/list?${query}`))

test('an address has filters and a page', () => {
  expect(read(`state=done&agency=${id}&text=%20dos%20%20casas&after=${id}&other=1`)).toEqual({
    filters: { state: 'done', agency: id, text: 'dos casas' },
    after: id,
    place: { after: id, page: 0, trail: [] },
  })
  expect(read(`after=${third}&page=4&trail=${id}.x.${second}`).place).toEqual({
    after: third,
    page: 4,
    trail: [id, second],
  })
  expect(read(`page=7&trail=${id}`).place).toEqual({ after: undefined, page: 1, trail: [] })
})

test.each([
  'state=',
  'state=toString',
  'agency=1',
  'text=',
  'text=12345678901',
  'text=%00%20%E2%80%8B',
  'after=x',
])('an address ignores the query %s', (query) =>
  expect(read(query)).toMatchObject({ filters: {}, after: undefined }),
)

test('an address links the next and the previous page', () => {
  const at = (
    links: { next: string | null; previous: string | null },
    to: 'next' | 'previous',
    next: string | null,
  ) => {
    const { filters, place } = read(links[to]!.slice(1))
    return pageLinks(filters, place, next)
  }
  const all = '?text=%C3%B1'
  const one = pageLinks({ text: 'ñ' }, read('text=ñ').place, id)
  expect(one).toEqual({ page: 1, previous: null, next: `${all}&after=${id}&page=2` })
  const two = at(one, 'next', second)
  expect(two).toEqual({ page: 2, previous: all, next: `${all}&after=${second}&page=3&trail=${id}` })
  const three = at(two, 'next', third)
  expect(three.next).toBe(`${all}&after=${third}&page=4&trail=${id}.${second}`)
  expect(at(three, 'previous', second)).toEqual(two)
  expect(at(two, 'previous', id)).toEqual(one)
})

test('an address without a page number links back to the first page', () =>
  expect(pageLinks({}, read(`after=${id}`).place, null)).toEqual({ page: 0, previous: '?', next: null }))

test('an address remembers at most twenty pages', () => {
  const ids = Array.from({ length: 25 }, (_, n) => idOf(n))
  const { next } = pageLinks({}, { after: id, page: 27, trail: ids }, 'b')
  expect(next!.split('trail=')[1]!.split('.')).toEqual([...ids.slice(-19), id])
})

test.each([
  [1, 12, countOf(12), undefined, '1-12 de 12'],
  [61, 47, countOf(3047), undefined, '3,001-3,047 de 3,047'],
  [200, 50, countOf(10_000), undefined, '9,951-10,000 de 10,000'],
  [201, 50, countOf(10_001), undefined, '10,001-10,050 de más de 10,000'],
  [2, 3, countOf(23), 20, '21-23 de 23'],
  [1, 50, countOf(1001, countLimits.dear), undefined, '1-50 de más de 1,000'],
])('page %s with %s rows of %j, by %s, is said in words', (page, rows, counted, size, words) =>
  expect(rangeWords(page, rows, counted, size)).toBe(words),
)
