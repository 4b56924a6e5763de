import { Button } from '../../ui/button.tsx'
import type { OnCall } from '../call-on.tsx'

/** Neither a direct way nor a relay: what can still be done, the best first. */
export function NoWay({ call, entry, noWay, aside, onChat }: OnCall & { onChat: () => void }) {
  return (
    <div className="absolute inset-0 overflow-y-auto">
      <section
        aria-labelledby="no-way"
        className="mx-auto grid min-h-full max-w-xl content-center gap-4 px-4 pt-20 pb-6"
      >
        <h2 id="no-way" className="text-xl font-semibold">
          No pudimos conectar el audio y el video
        </h2>
        <p className="text-mute">
          Tu red, o la de {entry.peerName}, no los deja pasar. Puede ayudar cambiar de wifi a datos móviles.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Button onClick={() => call.tryAgain({ audioOnly: true })}>Intentar solo con audio</Button>
          <Button variant="ghost" onClick={onChat}>
            Seguir por chat
          </Button>
        </div>
        {noWay}
        {aside && (
          <p className="text-mute">
            Si nada funciona, llama a {entry.peerName}: su teléfono está en «{aside.label}».
          </p>
        )}
      </section>
    </div>
  )
}
