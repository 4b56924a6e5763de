import { View } from '@react-pdf/renderer'
import { Frame, Outstanding, Rows, Sentences } from './frame.tsx'
import type { ReceiptPaper } from './paper.ts'
import { Sums } from './quote.tsx'
import { styles } from './styles.ts'

/** What a customer keeps of a payment. */
export const ReceiptDocument = ({ paper }: { paper: ReceiptPaper }) => (
  <Frame {...paper}>
    <Outstanding {...paper.amount} />
    <View style={styles.columns}>
      <Rows beside title="Cliente" rows={paper.people} />
      <Rows beside title="Pago" rows={paper.payment} />
    </View>
    <View style={styles.section}>
      <Sums sums={paper.sums} />
    </View>
    <Sentences title="Lo que conviene saber" lines={paper.notes} />
  </Frame>
)
