import { expect, test } from 'vitest'
import type { PhotoVerdict } from '../../src/domain/reports/photo-quality.ts'
import { doubtsAbout } from '../../src/web/photos/photo-doubt.tsx'

const fine: PhotoVerdict = { tooSmall: false, blurred: false, dark: false }
const titles = (verdict: PhotoVerdict) => doubtsAbout(verdict).map(({ title }) => title)

test('a photo is doubted for what is wrong with it, and for nothing else', () => {
  expect(titles(fine)).toEqual([])
  expect(titles({ ...fine, blurred: true })).toEqual(['Se ve movida o desenfocada'])
  expect(titles({ ...fine, dark: true, tooSmall: true })).toEqual(['Se ve oscura', 'Es muy pequeña'])
})
