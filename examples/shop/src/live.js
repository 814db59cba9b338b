// Shows the changes of orders at once. The page works without it.
function listen() {
  const events = new EventSource("/orders/live");
  events.onmessage = (event) => {
    const [order, state] = event.data.split(" ");
    const cell = document.getElementById(`order-${order}`);
    if (!cell) return location.reload(); // An order of another tab.
    cell.textContent = state;
    cell.dataset.state = state;
  };
  events.addEventListener("gap", () => location.reload());
  events.onerror = () => {
    // The browser tries again by itself, except after an answer such as 503.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}
listen();
