import { isCustomer, isTechnician } from '../../access/rules/actor.ts'
import { Help } from '../../kit/help.tsx'
import { shownSettings } from '../../settings/queries.ts'
import { besideClass, Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { actor, db } from '../context.ts'
import type { Route } from './+types/help-page.ts'
import { accountQuestions, customerQuestions, Questions, staffQuestions } from './questions.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(actor)
  const { quotes, visitFee } = await shownSettings(context.get(db))
  return {
    forCustomers: viewer !== null && isCustomer(viewer),
    isOffline: viewer !== null && isTechnician(viewer),
    promises: { warrantyMonths: quotes.warrantyMonths, free: visitFee.amount === 0 },
  }
}

/** What answers without asking anybody, and whom to ask. */
export default function HelpPage({
  loaderData: { forCustomers, isOffline, promises },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Ayuda"
        subtitle={
          forCustomers
            ? 'Escríbenos o márcanos cuando quieras; abajo está lo que más nos preguntan.'
            : 'El contacto que ven los clientes, y lo que más se pregunta.'
        }
      />
      <div className={besideClass}>
        <Card title={forCustomers ? 'Habla con nosotros' : 'Contacto'} className="lg:order-last">
          <Help about="Hola, necesito ayuda con mi cuenta" />
          {!forCustomers && (
            <p>
              <Link to="/admin/users">Equipo</Link> y <Link to="/admin/agencies">concesionarias</Link>
            </p>
          )}
        </Card>
        <section aria-labelledby="preguntas" className="grid gap-3">
          <h2 id="preguntas" className="font-semibold">
            Preguntas
          </h2>
          <Questions
            list={
              forCustomers ? [...accountQuestions, ...customerQuestions(promises)] : staffQuestions(isOffline)
            }
          />
        </section>
      </div>
    </>
  )
}
