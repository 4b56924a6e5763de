import { describe, expect, test } from 'vitest'
import { countLimits, countOf, rangeWords } from '../../src/domain/shared/count.ts'
import { anId, oneOf, pageLinks, readFilters, searched } from '../../src/web/lib/lists.tsx'

describe('an address', () => {
  const id = '0197f9a0-0000-7000-8000-000000000001'
  const schema = { state: oneOf(['open', 'done']), agency: anId, text: searched(10) }
  const read = (query: string) => readFilters(schema, new URL(`https://localhost/list?${query}`))

  test('has filters and a page', () => {
    expect(read(`state=done&agency=${id}&text=%20dos%20%20casas&after=${id}&other=1`)).toEqual({
      filters: { state: 'done', agency: id, text: 'dos casas' },
      after: id,
      place: { after: id, page: 0, trail: [] },
    })
    const [second, third] = [id.replace(/1$/, '2'), id.replace(/1$/, '3')]
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
  ])('ignores the query %s', (query) => {
    expect(read(query)).toMatchObject({ filters: {}, after: undefined })
  })

  test('links the next and the previous page', () => {
    const [b, c] = [id.replace(/1$/, '2'), id.replace(/1$/, '3')]
    const at = (
      links: { next: string | null; previous: string | null },
      to: 'next' | 'previous',
      next: string | null,
    ) => {
      const { filters, place } = read(links[to]!.slice(1))
      return pageLinks(filters, place, next)
    }
    const first = pageLinks({ text: 'ñ' }, read('text=ñ').place, id)
    expect(first).toEqual({ page: 1, previous: null, next: `?text=%C3%B1&after=${id}&page=2` })
    const second = at(first, 'next', b)
    expect(second).toEqual({
      page: 2,
      previous: '?text=%C3%B1',
      next: `?text=%C3%B1&after=${b}&page=3&trail=${id}`,
    })
    const third = at(second, 'next', c)
    expect(third.next).toBe(`?text=%C3%B1&after=${c}&page=4&trail=${id}.${b}`)
    expect(at(third, 'previous', b)).toEqual(second)
    expect(at(second, 'previous', id)).toEqual(first)
  })

  test('without a page number links back to the first page', () => {
    expect(pageLinks({}, read(`after=${id}`).place, null)).toEqual({ page: 0, previous: '?', next: null })
  })

  test('remembers at most twenty pages', () => {
    const ids = Array.from({ length: 25 }, (_, n) => `0197f9a0-0000-7000-8000-${String(n).padStart(12, '0')}`)
    const { next } = pageLinks({}, { after: id, page: 27, trail: ids }, 'b')
    expect(next!.split('trail=')[1]!.split('.')).toEqual([...ids.slice(-19), id])
  })
})

test.each([
  [1, 12, 12, '1-12 de 12'],
  [1, 50, 3047, '1-50 de 3,047'],
  [61, 47, 3047, '3,001-3,047 de 3,047'],
  [200, 50, 10_000, '9,951-10,000 de 10,000'],
  [201, 50, 10_001, '10,001-10,050 de más de 10,000'],
])('page %s with %s rows of %s', (page, rows, counted, words) => {
  expect(rangeWords(page, rows, countOf(counted))).toBe(words)
})

test('a range of shorter pages, and of a limited count', () => {
  expect(rangeWords(2, 3, countOf(23), 20)).toBe('21-23 de 23')
  expect(rangeWords(1, 50, countOf(1001, countLimits.dear))).toBe('1-50 de más de 1,000')
})
