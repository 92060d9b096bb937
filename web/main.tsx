import './styles/base.css'
import { render } from 'preact'

render(<p>Parley</p>, document.getElementById('page')!)
