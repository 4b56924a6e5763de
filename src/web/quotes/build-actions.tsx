import { ActionBar } from '../ui/action-bar.tsx'
import { Submit } from '../ui/submit.tsx'

/** What can be done with the whole draft. */
export const BuildActions = ({ isPreview }: { isPreview: boolean }) => (
  <ActionBar className="grid-cols-3 lg:sticky! lg:bottom-0 lg:border-t! lg:bg-canvas! lg:py-3!">
    <Submit name="intent" value="send-quote" className="px-2">
      Enviar
    </Submit>
    <Submit name="intent" value="save-quote" variant="ghost" className="px-2">
      <span>
        Guardar<span className="max-sm:sr-only"> borrador</span>
      </span>
    </Submit>
    {isPreview ? (
      <Submit name="edit" value="back" variant="ghost" className="px-2">
        Seguir editando
      </Submit>
    ) : (
      <Submit name="intent" value="preview-quote" variant="ghost" className="px-2">
        Vista previa
      </Submit>
    )}
  </ActionBar>
)
