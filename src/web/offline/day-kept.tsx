import { useEffect, useState } from 'react'
import { dateTime } from '../../domain/shared/format.ts'
import type { Day } from './fetch-ahead.ts'

/** At home: whether this phone has the day, looked at until it has. */
export default function DayKept() {
  const [words, say] = useState<string | null>(null)
  useEffect(() => {
    const look = async () => {
      const now = await keptDayWords()
      say(now)
      if (now?.startsWith(whole)) clearInterval(timer)
    }
    const timer = setInterval(() => void look().catch(() => undefined), 1_000)
    return () => clearInterval(timer)
  }, [])
  return words && <p className="text-mute">{words}</p>
}

const whole = 'Tu día está en el teléfono'

/** How much of the day this phone has; null where nothing keeps it, or a worker of an older version does. */
export async function keptDayWords() {
  const { serviceWorker } = navigator
  if (!(await serviceWorker?.getRegistration())) return null
  const coming = (count = '') => `Descargando tu día${count}. No te vayas todavía.`
  const list = await caches.match('/onsite/day')
  if (!list) return serviceWorker.controller ? null : coming()
  const { pages, pictures }: Day = await list.json()
  const all = await Promise.all([...pages, ...pictures].map((path) => caches.match(path)))
  const there = all.filter(Boolean).length
  if (there < all.length) return coming(`: ${there} de ${all.length}`)
  return `${whole} · ${dateTime(new Date(list.headers.get('date') ?? 0))}`
}
