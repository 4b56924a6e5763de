import { firstLink, type GuidePage, inMain, part, title, words } from '../shape.ts'

export const manager: GuidePage = {
  file: 'manager',
  title: 'Manager',
  intro: 'Asignar, cobrar, dar de alta y decidir lo que nadie más puede.',
  kind: 'manager',
  as: 'gerente@demo.mx',
  size: 'desk',
  sections: [
    {
      item: 'home',
      intro: 'Lo que hay que resolver, lo que el sistema hizo solo, y la carga de los próximos días.',
      steps: [
        {
          say: 'Arriba, cuántas cosas hay de cada tipo; abajo, lo que no puede esperar, lo más urgente primero. Cada renglón tiene su botón: llamar, asignar, confirmar, revisar.',
          at: '/admin',
          show: part('navigation', 'Por tipo'),
        },
        {
          say: '“Confirmar todas” confirma de una vez las personas propuestas; antes te muestra la lista.',
          show: words(/Confirmar todas/),
        },
        {
          say: 'Después de confirmar, mover, soltar o cancelar una cita tienes 30 segundos: “Deshacer” la regresa y nadie recibe nada.',
          press: part('button', /^Confirmar/),
          show: part('button', 'Deshacer'),
        },
        {
          say: 'Con Ctrl K, con “/” o desde el menú buscas en todo: folios, nombres sin acentos, teléfonos como salen en la llamada, correos y domicilios.',
          at: '/admin',
          act: async (page) => {
            const box = page.getByRole('combobox')
            // What listens for the keys comes after the screen.
            while (!(await box.isVisible())) {
              await page.keyboard.press('ControlOrMeta+k')
              await box.waitFor({ timeout: 3_000 }).catch(() => null)
            }
            await box.fill('+52 1 555 555 02 29')
          },
          show: part('option', /Bruno Lara/),
        },
        {
          say: 'Ahí también se hacen cosas: escribe “nueva cita” u “optimizar mañana” y oprime Enter.',
          act: (page) => page.getByRole('combobox').fill('optimizar'),
          show: part('option', /Optimizar/),
        },
      ],
    },
    {
      item: 'assignations',
      intro:
        'Quién va a cada cita. Lo que no confirmes a tiempo se confirma solo, si su persona todavía puede.',
      steps: [
        {
          say: 'Abre una cita por asignar.',
          at: '/admin/assignations',
          show: part('region', 'Por asignar'),
        },
        {
          say: 'Las personas que pueden tomarla están en orden; de las demás dice por qué no. Elige una y confirma.',
          follow: firstLink('region', 'Por asignar'),
          show: title,
        },
        {
          say: '“Optimizar el día” busca el reparto con menos traslados, sin mover lo prometido; lo comparas y lo aplicas.',
          at: '/admin/assignations',
          show: part('link', 'Optimizar el día'),
        },
      ],
    },
    {
      item: 'clients',
      intro: 'Cada proyecto en un solo lugar (si el módulo está encendido).',
      steps: [
        {
          say: 'Busca a un cliente, o mira a quién hay que llamar hoy.',
          at: '/admin/clients',
          show: part('heading', 'Clientes'),
        },
        {
          say: 'Si el teléfono de quien llama ya es de un cliente, te lo dice antes de registrarlo: sigue con esa ficha, o di que es otra persona.',
          at: '/admin/assignations/nueva?q=Bruna',
          act: async (page) => {
            await page.getByLabel('Nombre', { exact: true }).fill('Bruno')
            await page.getByLabel('Apellidos').fill('Lara')
            await page.getByLabel('Teléfono').fill('555 555 02 29')
            await page.getByLabel('Solo quiere una asesoría virtual').check()
            await page.getByRole('button', { name: 'Registrar y elegir hora' }).click()
          },
          show: part('link', /^Ya es cliente/),
        },
        {
          say: 'Si alguien quedó dos veces, abre una de sus fichas: “Es la misma persona que…” las une.',
          act: async (page) => {
            await page.getByRole('button', { name: 'No, es otra persona' }).click()
            await page.waitForURL(/cliente=/)
            await page.getByRole('main').getByRole('link', { name: 'Bruno Lara', exact: true }).click()
          },
          show: part('link', 'Es la misma persona que…'),
        },
        {
          say: 'Primero salen las que tienen su teléfono o su nombre; también puedes buscar otra.',
          follow: part('link', 'Es la misma persona que…'),
          show: part('region', 'Parecidas'),
        },
        {
          say: 'Compara las dos, elige cuál queda y lee qué va a pasar. No se pierde nada, y durante 24 horas se deshace desde la ficha que quedó.',
          follow: firstLink('region', 'Parecidas'),
          show: part('region', 'Qué va a pasar'),
        },
        {
          say: 'En “Cifras” están los ingresos, la ocupación, la conversión, los días y la puntualidad, comparados con antes; cada gráfica tiene su tabla y su CSV.',
          at: '/admin/cifras',
          show: part('link', 'Este mes'),
        },
      ],
    },
    {
      item: 'appointments-pending',
      intro: 'Todas las citas que vienen.',
      steps: [
        {
          say: 'Los atajos dejan las de hoy, las que van en camino, las que van tarde y las que no tienen persona.',
          at: '/admin/appointments-pending',
          show: part('link', 'Sin persona'),
        },
      ],
    },
    {
      item: 'appointments-done',
      intro: 'Las citas terminadas, con sus reportes.',
      steps: [
        {
          say: 'Filtra por mes, servicio, zona o persona; “Excel” y “CSV” bajan lo mismo que ves.',
          at: '/admin/appointments-done',
          show: part('link', 'Exportar CSV'),
        },
      ],
    },
    {
      item: 'cotizations',
      intro: 'Las cotizaciones, sus pagos y su resultado por mes.',
      steps: [
        {
          say: 'Abre una para ver sus versiones, sus pagos y lo que puedes hacer con ella.',
          at: '/admin/cotizations',
          follow: firstLink('table', /^Cotizaciones$/),
          show: title,
        },
      ],
    },
    {
      item: 'gesties',
      intro: 'Los trámites ante CFE (si el módulo está encendido).',
      steps: [
        {
          say: 'Mira en qué va cada trámite y, si hace falta, pásalo a otro gestor.',
          at: '/admin/gesties',
          show: part('heading', 'Gestorías'),
        },
      ],
    },
    {
      item: 'payments',
      intro: 'Los comprobantes, lo que falta por cobrar, el libro y el banco (si el módulo está encendido).',
      steps: [
        {
          say: 'Compara el comprobante con tu banco. Si llegó lo que se pidió, “Llegó completo” lo registra; si no, escribe la cantidad.',
          at: '/admin/payments',
          show: part('button', /^Llegó completo/),
        },
        {
          say: 'En “Banco” subes el estado de cuenta en CSV y confirmas los pagos que coinciden.',
          follow: inMain('link', 'Banco'),
          show: title,
        },
      ],
    },
    {
      item: 'agencies',
      intro: 'Las concesionarias: su gente, códigos, clientes y comisiones.',
      steps: [
        {
          say: '“Nueva concesionaria” da de alta una; abre una para ver sus partes.',
          at: '/admin/agencies',
          follow: part('link', /Concesionaria Demo/),
          show: title,
        },
      ],
    },
    {
      item: 'users',
      intro: 'Las personas: invitar, cambiar el tipo, la zona y el horario, o desactivar.',
      steps: [
        {
          say: 'Para sumar a alguien al equipo abre “Invitar”: le llega un enlace que sirve una vez.',
          at: '/admin/users',
          press: words('Invitar'),
          show: words('Invitar'),
        },
        {
          say: 'Si llega una queja o un oficio por alguien que eliminó su cuenta, sus datos están en “Cuentas bloqueadas”: en la lista elige “Bloqueadas”.',
          at: '/admin/users?active=blocked',
          show: part('heading', 'Cuentas bloqueadas'),
        },
        {
          say: 'Antes de desactivar una cuenta lees qué pasa con sus sesiones y sus citas; después, “Deshacer” la activa otra vez.',
          at: '/admin/users?role=analyst',
          follow: inMain('link', 'Andrés Demo'),
          show: part('region', 'Acceso'),
        },
        {
          say: 'En tu cuenta está “Configuración del servicio”: horarios, precios, traslados y datos del banco.',
          at: '/admin/account',
          show: title,
        },
      ],
    },
  ],
}
