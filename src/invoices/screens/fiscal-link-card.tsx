import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** The link to the user's own fiscal data, from related screens. */
export const FiscalLinkCard = ({ className }: { className?: string }) => (
  <Card id="fiscales" title="Datos fiscales" {...(className && { className })}>
    <p className="text-[0.9375rem] text-mute">
      Para que tus facturas salgan a tu nombre, con tu RFC y tu régimen.
    </p>
    <LinkButton variant="ghost" to="/fiscal" className="justify-self-start">
      Ver mis datos fiscales
    </LinkButton>
  </Card>
)
