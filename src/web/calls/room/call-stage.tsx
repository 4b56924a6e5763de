import { MonitorUp } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { OnCall } from '../call-on.tsx'
import { Banners } from './banners.tsx'
import { CallHead } from './call-head.tsx'
import { Initials } from './initials.tsx'
import { NoWay } from './no-way.tsx'
import { OwnTile } from './own-tile.tsx'
import { letSoundOut, Picture } from './picture.tsx'

type CallStageProps = OnCall & { video: RefObject<HTMLVideoElement | null>; onChat: () => void }

/** The other side large, oneself small, and what goes wrong between. */
export function CallStage(props: CallStageProps) {
  const { entry, state, devices, video } = props
  const [isSilent, setIsSilent] = useState(false)
  const { theirs, way, remote, room } = state
  const isSeen = way !== 'no_way' && remote !== null && (theirs?.video || theirs?.screen)
  return (
    <div className="on-dark relative min-w-0 flex-1 overflow-hidden bg-canvas">
      <Picture
        ref={video}
        stream={remote}
        label={`Imagen de ${entry.peerName}`}
        whole={entry.side === 'analyst' || Boolean(theirs?.screen)}
        speaker={devices.speaker}
        onHeldBack={setIsSilent}
        className={classNames(
          'absolute inset-0 size-full',
          !isSeen && 'opacity-0',
          room?.peer?.lost && 'opacity-40',
        )}
      />
      {way === 'no_way' ? <NoWay {...props} /> : !isSeen && <Unseen {...props} />}
      <div className="absolute inset-x-0 top-0 grid grid-cols-1 gap-2 px-[max(0.75rem,env(safe-area-inset-left))] pt-[max(0.75rem,env(safe-area-inset-top))]">
        <CallHead state={state} name={entry.peerName} />
        <Banners {...props} />
        {isSilent && way !== 'no_way' && (
          <Button
            className="justify-self-center"
            onClick={() => letSoundOut(video.current).then(() => setIsSilent(false))}
          >
            Activar sonido
          </Button>
        )}
      </div>
      {way !== 'no_way' && <OwnTile state={state} />}
    </div>
  )
}

/** Nothing to see of the other side: that is said, so that nobody waits for it. */
function Unseen({ entry, state }: OnCall) {
  const { way, theirs } = state
  const isOn = way === 'open' || way === 'reconnecting'
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-4 p-4 text-center">
      <Initials name={entry.peerName} />
      <p className="text-mute">
        {isOn ? `${entry.peerName} tiene la cámara apagada` : `Conectando con ${entry.peerName}…`}
        {theirs?.screen && <MonitorUp aria-hidden className="ml-2 inline size-5" />}
      </p>
    </div>
  )
}
