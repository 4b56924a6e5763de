import { useEffect, useState } from 'react'
import { ActionBar } from '../../ui/action-bar.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { OnCall } from '../call-on.tsx'
import { LobbyHeader } from '../lobby-header.tsx'
import { ConnectionTest } from './connection-test.tsx'
import { DeviceFields } from './device-fields.tsx'
import { MediaTrouble } from './media-trouble.tsx'
import { OwnPreview } from './own-preview.tsx'

/** Before entering: how one looks and sounds, with which devices, and whether the connection is good enough. */
export function Lobby({ isElsewhere, ...props }: OnCall & { isElsewhere: boolean }) {
  const { entry, backTo, call, state, devices, onDevices } = props
  const [wish, setWish] = useState({ audio: true, video: true })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks for the same again.
  useEffect(() => {
    if (call.state().phase === 'lobby') void call.preview({ ...wish, devices })
  }, [call, wish, devices, tries])
  return (
    <>
      <LobbyHeader entry={entry} backTo={backTo} />
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-6">
        <div className="grid gap-4">
          {isElsewhere && (
            <Alert tone="info" title="Ya estás en la llamada en otra pestaña">
              Si entras aquí, la otra pestaña sale de la llamada.
            </Alert>
          )}
          <OwnPreview state={state} wish={wish} onWish={setWish} onAgain={() => setTries(tries + 1)} />
          {state.problem && state.problem.of !== 'screen' && (
            <MediaTrouble problem={state.problem} onAgain={() => setTries(tries + 1)} />
          )}
          <Enter {...props} wish={wish} isElsewhere={isElsewhere} />
        </div>
        <div className="grid gap-4">
          <Card title="Tus dispositivos">
            <DeviceFields opened={state.local} devices={devices} onDevices={onDevices} />
          </Card>
          <ConnectionTest call={call} />
        </div>
      </div>
    </>
  )
}

type EnterProps = OnCall & { wish: { audio: boolean; video: boolean }; isElsewhere: boolean }

function Enter({ call, state, devices, wish, isElsewhere }: EnterProps) {
  const isJoining = state.phase === 'joining'
  const isDeaf = wish.audio && wish.video && state.problem?.of === 'both'
  const withAudioOnly = async () => {
    await call.preview({ audio: true, video: false, devices })
    call.join()
  }
  return (
    <ActionBar className="grid-cols-[1fr_auto]">
      <Button pending={isJoining} onClick={call.join}>
        {isElsewhere ? 'Entrar aquí' : isDeaf ? 'Entrar sin cámara ni micrófono' : 'Entrar'}
      </Button>
      {wish.video && !isDeaf && (
        <Button variant="ghost" disabled={isJoining} onClick={withAudioOnly}>
          Entrar solo con audio
        </Button>
      )}
    </ActionBar>
  )
}
