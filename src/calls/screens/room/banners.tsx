import { CloudOff, LoaderCircle, type LucideIcon, UserRoundX } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import type { OnCall } from './props.ts'

type Banner = { key: string; icon: LucideIcon; words: string; turns?: boolean }

/** The current problems, for as long as they last. The announcer says them to screen readers. */
export function Banners({ entry, state }: OnCall) {
  const shown = bannersOf(state, entry.peerName)
  if (shown.length === 0) return null
  return (
    <ul className="grid gap-2 justify-self-center">
      {shown.map(({ key, icon: Icon, words, turns }) => (
        <li
          key={key}
          className="flex max-w-lg items-start gap-2 rounded-control bg-wait-soft px-3 py-2 text-[0.9375rem] font-medium text-wait"
        >
          <Icon aria-hidden className={classNames('mt-0.5 size-5 shrink-0', turns && 'animate-spin')} />
          {words}
        </li>
      ))}
    </ul>
  )
}

function bannersOf({ link, way, room, phase }: OnCall['state'], name: string): Banner[] {
  const banners: Banner[] = []
  const isLost = room?.peer?.lost ?? false
  if (link === 'lost') banners.push({ key: 'link', icon: CloudOff, words: linkWords(phase, way) })
  if (isLost)
    banners.push({
      key: 'peer',
      icon: UserRoundX,
      words: `Se perdió la conexión con ${name}. Guardamos su lugar 2 minutos.`,
    })
  if (way === 'reconnecting' && !isLost)
    banners.push({ key: 'way', icon: LoaderCircle, words: 'Volviendo a conectar…', turns: true })
  return banners
}

const linkWords = (phase: string, way: string) =>
  phase === 'talking' && way === 'open'
    ? 'Sin conexión con el servidor. La llamada sigue.'
    : 'Sin conexión con el servidor. Volvemos a intentar; revisa tu internet.'
