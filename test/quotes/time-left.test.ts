import { expect, test } from 'vitest'
import { timeLeft } from '../../src/web/quotes/quote-status.tsx'

const now = new Date('2026-11-22T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [3 * day + 4 * hour, 'Te quedan 3 días y 4 horas'],
  [3 * day + 59 * minute, 'Te quedan 3 días'],
  [day, 'Te queda 1 día'],
  [day + hour, 'Te queda 1 día y 1 hora'],
  [23 * hour + 59 * minute, 'Te quedan 23 horas y 59 minutos'],
  [hour + minute, 'Te queda 1 hora y 1 minuto'],
  [2 * minute, 'Te quedan 2 minutos'],
  [minute, 'Te queda 1 minuto'],
  [1, 'Te queda menos de un minuto'],
  [0, 'Ya venció'],
  [-day, 'Ya venció'],
])('words %i milliseconds as "%s"', (left, words) =>
  expect(timeLeft(new Date(now.getTime() + left), now)).toBe(words),
)
