import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { pages } from '../../guide/pages.ts'
import { contents, itemsOf, pictureOf, written } from '../../guide/write.ts'
import { staffKinds } from '../../src/access/rules/actor.ts'

const folder = path.resolve(import.meta.dirname, '../../docs/guia')

test('each role has a page with every item of its sidebar, in order', () => {
  expect(pages.map(({ kind }) => kind).toSorted()).toEqual([null, ...staffKinds].toSorted())
  for (const page of pages)
    expect(
      page.sections.map(({ item }) => item),
      page.file,
    ).toEqual(itemsOf(page).map(({ id }) => id))
})

test.each(pages)('$file is up to date, and every step has its picture', (page) => {
  expect(readFileSync(path.join(folder, `${page.file}.md`), 'utf8')).toBe(written(page))
  for (const section of page.sections)
    for (const step of section.steps.keys()) {
      const picture = path.join(folder, pictureOf(page, section, step))
      expect(existsSync(picture) && statSync(picture).size, picture).toBeGreaterThan(2_000)
    }
})

test('no picture is left over, and the first page links all', () => {
  const told = pages.flatMap((page) =>
    page.sections.flatMap((section) =>
      section.steps.map((_, step) => path.basename(pictureOf(page, section, step))),
    ),
  )
  expect(readdirSync(path.join(folder, 'imagenes')).toSorted()).toEqual(told.toSorted())
  expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toBe(contents(pages))
})
