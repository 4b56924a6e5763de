import { sourcesOf } from '../sources.ts'

/** Every parameter that some screen asks its address for, or that a filter's schema names. */
export const asked = sourcesOf('screens', 'server')
  .flatMap(({ text }) => [...text.matchAll(/searchParams\.get\('(\w+)'\)/g)])
  .map(([, name]) => name!)
