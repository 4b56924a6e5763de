import { Mic, MicOff, Video, VideoOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import type { CallState, MediaProblem } from '../rtc/call-state.ts'
import { MicrophoneLevel } from './microphone-level.tsx'
import { Picture } from './picture.tsx'

type Wish = { audio: boolean; video: boolean }
type OwnPreviewProps = {
  state: CallState
  wish: Wish
  onWish: (wish: Wish) => void
  /** Asks once more for what was refused. */
  onAgain: () => void
}

/** How the other side will see and hear one, with what turns either off. */
export function OwnPreview({ state, wish, onWish, onAgain }: OwnPreviewProps) {
  const { local, media, problem } = state
  const turn = (name: keyof Wish) => () =>
    wish[name] && isRefused(problem, name) ? onAgain() : onWish({ ...wish, [name]: !wish[name] })
  const on = {
    audio: wish.audio && !isRefused(problem, 'audio'),
    video: wish.video && !isRefused(problem, 'video'),
  }
  const isSeen = local !== null && media.video
  return (
    <section aria-label="Tu imagen y tu sonido" className="on-dark overflow-hidden rounded-card bg-canvas">
      <div className="relative grid aspect-video place-items-center short:aspect-auto short:h-36">
        {isSeen ? (
          <Picture stream={local} label="Tu cámara" muted mirrored className="absolute inset-0 size-full" />
        ) : (
          <p className="px-6 text-center text-mute">{unseen(wish, problem !== null)}</p>
        )}
        <p className="absolute bottom-2 left-2 rounded-control bg-canvas/80 px-2.5 py-1 text-sm">Tú</p>
      </div>
      <div className="flex items-center gap-2 border-t border-line p-2">
        <Switch
          on={on.audio}
          label="Micrófono"
          icon={on.audio ? <Mic aria-hidden /> : <MicOff aria-hidden />}
          onTurn={turn('audio')}
        />
        <Switch
          on={on.video}
          label="Cámara"
          icon={on.video ? <Video aria-hidden /> : <VideoOff aria-hidden />}
          onTurn={turn('video')}
        />
        <MicrophoneLevel stream={local} on={media.audio} className="ml-auto min-w-0 flex-1" />
      </div>
    </section>
  )
}

const isRefused = (problem: MediaProblem | null, name: keyof Wish) =>
  problem !== null && (problem.of === 'both' || problem.of === (name === 'audio' ? 'microphone' : 'camera'))

function unseen(wish: Wish, refused: boolean) {
  if (!wish.video) return 'Tu cámara está apagada. Te escucharán, pero no te verán.'
  return refused
    ? 'No podemos mostrar tu cámara.'
    : 'Permite usar tu cámara y tu micrófono cuando el navegador lo pida.'
}

type SwitchProps = { on: boolean; label: string; icon: ReactNode; onTurn: () => void }

const Switch = ({ on, label, icon, onTurn }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={on}
    onClick={onTurn}
    className={classNames(
      'inline-flex min-h-11 items-center gap-2 rounded-control border px-3 text-[0.9375rem] font-medium *:[svg]:size-5',
      on ? 'border-line bg-card hover:bg-hover' : 'border-transparent bg-bad-soft text-bad',
    )}
  >
    {icon}
    {label}
  </button>
)
