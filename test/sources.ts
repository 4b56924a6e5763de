import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Layer, layerOf } from '../layers.ts'

const src = path.resolve(import.meta.dirname, '../src')

/** The TypeScript files of layers, by their paths from src. */
export const sourcesOf = (...layers: Layer[]) =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && layers.includes(layerOf(file)))
    .map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }))
