import { isCustomer, isTechnician } from '../../access/rules/actor.ts'
import { Help } from '../../kit/help.tsx'
import { requestOf } from '../../kit/request.ts'
import { shownSettings } from '../../settings/queries.ts'
import { besideClass, Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Route } from './+types/help-page.ts'
import { accountQuestions, customerQuestions, Questions, staffQuestions } from './questions.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const { actor, db } = requestOf(context)
  const { quotes, visitFee } = await shownSettings(db)
  return {
    forCustomers: actor !== null && isCustomer(actor),
    isOffline: actor !== null && isTechnician(actor),
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
